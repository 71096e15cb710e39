// Settlements in short: what each loser pays.

import { t } from "./i18n.js";

/** `{each, bonus}` as texts; "11–19" where the losers pay different amounts. */
export function price(settlement) {
  if (!settlement || settlement.valid === false) return null;
  const span = (amounts) => {
    const paid = Object.values(amounts ?? {}).filter((n) => n < 0).map((n) => -n);
    if (!paid.length) return null;
    const [low, high] = [Math.min(...paid), Math.max(...paid)];
    return { text: low === high ? String(low) : `${low}–${high}`, high, from: paid.length };
  };
  const each = span(settlement.payments);
  const bonus = span(settlement.bonus);
  return { each, bonus, total: (each?.high ?? 0) + (bonus?.high ?? 0) };
}

/** "44 from each + 50". */
export function priceText(settlement) {
  const worth = price(settlement);
  if (!worth || !worth.each) return worth?.bonus ? t("bonus_each", { n: worth.bonus.text }) : "";
  const base = worth.each.from === 1 ? t("from_one", { n: worth.each.text }) : t("from_each", { n: worth.each.text });
  return worth.bonus ? t("plus_bonus", { base, n: worth.bonus.text }) : base;
}
