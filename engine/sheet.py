"""Answers as a sheet that a player can read aloud (``--human``)."""

from __future__ import annotations

from typing import Any, Final

from engine.text import Text
from engine.tiles import names, parse_tiles

Json = dict[str, Any]

#: What Zhangzhou itemises.
_POINTS: Final = frozenset({"flower_points", "kong_exposed", "kong_concealed"})

_LABELS: Final[dict[str, Text]] = {
    "no_win": Text("不算胡", "不算胡", "No win"),
    "input": Text("输入有误", "輸入有誤", "Input error"),
    "multiplier": Text("{n} 倍", "{n} 倍", "×{n}"),
    "winner": Text("{seat} 胡：", "{seat} 胡：", "{seat} wins: "),
    "reading": Text("牌型", "牌型", "Reading"),
    "golds_as": Text("金当作", "金當作", "Golds as"),
    "water": Text("水", "水", "Water"),
    "points": Text("花杠分", "花槓分", "Flower and kong points"),
    "patterns": Text("番型", "番型", "Patterns"),
    "payments": Text("收付", "收付", "Payments"),
    "bonus": Text("课外", "課外", "Outside the chips"),
    "next": Text("下一局庄家 {seat}，连庄 {n}", "下一局莊家 {seat}，連莊 {n}", "Next dealer {seat}, streak {n}"),
    "next_lot": Text("下一局庄家：抽签", "下一局莊家：抽籤", "Next dealer: by lot"),
    "win_now": Text("现在可以胡", "現在可以胡", "Win now"),
    "no_win_now": Text("现在不能胡", "現在不能胡", "No win now"),
    "discards": Text("打牌", "打牌", "Discards"),
    "kongs": Text("可杠", "可槓", "Kongs"),
    "advice": Text("建议", "建議", "Advice"),
    "illegal": Text("不可以", "不可以", "not allowed"),
    "any": Text("任何牌都胡", "任何牌都胡", "any tile wins"),
    "waits": Text("听", "聽", "waits"),
    "left": Text("余 {n}", "餘 {n}", "{n} left"),
    "self_only": Text("只能自摸", "只能自摸", "self-draw only"),
    "useful": Text("有用", "有用", "useful"),
    "receives": Text("收 {n}", "收 {n}", "receives {n}"),
    "outside": Text("，课外 {n}", "，課外 {n}", " and {n} outside"),
    "youjin": Text("游金", "游金", "youjin"),
    "double_youjin": Text("双游", "雙游", "double youjin"),
    "triple_youjin": Text("三游", "三游", "triple youjin"),
    "ready": Text("听牌", "聽牌", "ready"),
    "not_ready": Text("差 {n} 步听牌", "差 {n} 步聽牌", "{n} from ready"),
    "win": Text("胡", "胡", "Win"),
    "kong": Text("杠", "槓", "Kong"),
    "pong": Text("碰", "碰", "Pong"),
    "chow": Text("吃", "吃", "Chow"),
    "chow_with": Text("用 {tiles} 吃", "用 {tiles} 吃", "with {tiles}"),
    "not_then": Text("之后不可打 {tiles}", "之後不可打 {tiles}", "then {tiles} may not be discarded"),
    "legal": Text("可以", "可以", "allowed"),
    "nothing": Text("无", "無", "none"),
}


def sheet(answer: Json, language: str) -> str:
    """One answer of `engine.api` as text.

    Args:
        answer: what `engine.api` gave.
        language: ``zh``, ``zh_hant`` or ``en``.

    >>> print(sheet({"payments": {"A": 0, "B": 5, "C": -5, "D": 0}, "bonus": {}, "lines": []}, "en"))
    Payments: A 0 · B +5 · C −5 · D 0
    """
    return "\n".join(_Sheet(language).lines(answer))


class _Sheet:
    """One language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.colon = ": " if language == "en" else "："

    def label(self, key: str, **values: object) -> str:
        text = _LABELS[key]
        return (text.format(**values) if values else text).in_language(self.language)

    def own(self, texts: Json) -> str:
        """The sentence of a JSON object that carries three languages."""
        return str(texts[self.language])

    def tiles(self, text: str) -> str:
        return f"{text} {names(parse_tiles(text)).in_language(self.language)}"

    def lines(self, answer: Json) -> list[str]:
        if "error" in answer:
            return [self.error(answer)]
        if "discards" in answer:
            return self.options(answer)
        if "state" in answer:
            return self.discard(answer)
        if "chow" in answer:
            return self.claims(answer)
        return self.settlement(answer)

    def error(self, answer: Json) -> str:
        error = answer["error"]
        if "valid" in answer:
            return self.label("no_win") + self.colon + self.own(error)
        field = f" ({error['field']})" if error["field"] else ""
        return self.label("input") + field + self.colon + self.own(error)

    def settlement(self, answer: Json) -> list[str]:
        out: list[str] = []
        if "method_name" in answer:
            out.append(
                f"{self.winner(answer)}{self.own(answer['method_name'])}  "
                f"{self.label('multiplier', n=answer['multiplier'])}"
            )
            if answer["reading"]:
                out.append(self.label("reading") + self.colon + "  ".join(answer["reading"]))
            if answer["golds_as"]:
                out.append(self.label("golds_as") + self.colon + "  ".join(answer["golds_as"]))
            if answer["water"]:
                # Zhangzhou writes its flower and kong points where Xiamen has water (ZZ 4.6).
                name = "points" if any(item["key"] in _POINTS for item in answer["water"]) else "water"
                out.append(f"{self.label(name)} {answer['water_total']}{self.colon.rstrip()}")
                out += [f"  {self.own(item)} ({item['tiles']})  {item['value']}" for item in answer["water"]]
            if answer["patterns"]:
                out.append(self.label("patterns") + self.colon.rstrip())
                out += [f"  {self.own(item)}  ×{item['value']}" for item in answer["patterns"]]
        out += [self.own(line) for line in answer["lines"]]
        out.append(self.label("payments") + self.colon + _points(answer["payments"]))
        if any(answer["bonus"].values()):
            out.append(self.label("bonus") + self.colon + _points(answer["bonus"]))
        following = answer.get("next")
        if following is not None:
            seat = following["dealer"]
            out.append(
                self.label("next_lot") if seat is None else self.label("next", seat=seat, n=following["dealer_streak"])
            )
        return out

    def winner(self, answer: Json) -> str:
        """Who won: the one who receives; nothing where nobody has a chip to give."""
        totals = {seat: points + answer["bonus"][seat] for seat, points in answer["payments"].items()}
        seat = max(totals, key=lambda seat: totals[seat])
        return self.label("winner", seat=seat) if totals[seat] > 0 else ""

    def options(self, answer: Json) -> list[str]:
        win = answer["win_now"]
        if win["legal"]:
            out = [self.label("win_now") + self.colon + self.worth(win["settlement"])]
            out += [f"  {line}" for line in self.settlement(win["settlement"])]
        else:
            out = [self.label("no_win_now") + self.colon + self.own(win["why"])]
        out.append(self.label("discards") + self.colon)
        for entry in answer["discards"]:
            out += [f"  {line}" for line in self.discard(entry)]
        out.append(self.label("kongs") + self.colon + (" ".join(answer["kongs"]) or self.label("nothing")))
        out.append(self.label("advice") + self.colon)
        out += [f"  {place}. {self.own(item['why'])}" for place, item in enumerate(answer["advice"], 1)]
        return out

    def worth(self, settlement: Json) -> str:
        """What the winner receives, and by which way."""
        inside = max(settlement["payments"].values())
        outside = max(settlement["bonus"].values())
        text = f"{self.own(settlement['method_name'])} {self.label('receives', n=inside)}"
        return text + (self.label("outside", n=outside) if outside else "")

    def discard(self, entry: Json) -> list[str]:
        """One entry of ``discards``, or the answer of ``waits``."""
        state = entry["state"]
        text = self.label(state, n=entry["shanten"]) if state == "not_ready" else self.label(state)
        if "tile" in entry:
            text = f"{self.tiles(entry['tile'])}{self.colon}{text}"
        if "if_won" in entry:
            text += f", {self.label('any')}, {self.worth(entry['if_won'])}"
        if entry.get("legal") is False:
            text += f" ({self.label('illegal')}{self.colon}{self.own(entry['why'])})"
        out = [text]
        if state == "ready":
            out += [f"  {self.wait(wait)}" for wait in entry["waits"]]
        if entry.get("useful"):
            out.append(f"  {self.label('useful')}{self.colon}" + " ".join(item["tile"] for item in entry["useful"]))
        return out

    def wait(self, wait: Json) -> str:
        text = f"{self.label('waits')} {self.tiles(wait['tile'])}, {self.label('left', n=wait['left'])}"
        for key in ("self_draw", "discard"):
            if key in wait:
                text += f", {self.worth(wait[key])}"
        return text if wait["by_discard"] else f"{text}, {self.label('self_only')}"

    def claims(self, answer: Json) -> list[str]:
        out: list[str] = []
        for key in ("win", "kong", "pong"):
            entry = answer[key]
            verdict = self.label("legal") if entry["legal"] else f"{self.label('illegal')}, {self.own(entry['why'])}"
            out.append(self.label(key) + self.colon + verdict)
        if not answer["chow"]:
            out.append(self.label("chow") + self.colon + self.label("nothing"))
        for entry in answer["chow"]:
            verdict = self.label("legal") if entry["legal"] else f"{self.label('illegal')}, {self.own(entry['why'])}"
            line = f"{self.label('chow')} {self.label('chow_with', tiles=entry['with'])}{self.colon}{verdict}"
            if entry.get("may_not_discard"):
                line += f", {self.label('not_then', tiles=' '.join(entry['may_not_discard']))}"
            out.append(line)
        return out


def _points(points: Json) -> str:
    """Points of the four seats with their sign."""
    return " · ".join(f"{seat} {_signed(number)}" for seat, number in points.items())


def _signed(number: int) -> str:
    return str(number) if number == 0 else f"{number:+d}".replace("-", "−")
