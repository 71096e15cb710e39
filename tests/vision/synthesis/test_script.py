from collections import Counter
from itertools import pairwise

import pytest

from engine import api
from engine.tiles import CODES, HONOUR, INDEX, PLAYABLE, WHITE, parse_tiles
from vision.synthesis import script
from vision.synthesis.demo import SCRIPTS
from vision.synthesis.script import play

NUMBERS = range(SCRIPTS)


@pytest.fixture(scope="module", params=NUMBERS)
def steps(request):
    return play(request.param)


def own(step):
    return [*step.concealed, *([] if step.drawn is None else [step.drawn])]


def test_same_number_same_hand():
    assert play(5) == play(5)
    assert play(5) != play(6)


def test_the_story_is_whole_and_in_order(steps):
    keys = [step.key for step in steps if step.key not in {"other", "draw", "discard"}]
    assert keys == ["deal", "flowers", "gold", "pong", "ready", "ready", "choice", "youjin", "win", "laid"]


def test_tiles_are_conserved(steps):
    for step in steps:
        seen = Counter([*own(step), *(tile for meld in step.melds for tile in meld), *step.flowers, *step.pool])
        seen[steps[2].gold] += 1
        assert all(count <= (4 if kind < PLAYABLE else 1) for kind, count in seen.items()), step.key
        hidden = 48 + (1 if not step.pool else 0)  # the three others; the dealer has 17 until the first discard
        total = step.wall + sum(seen.values()) + hidden - (1 if step.gold is None else 0)
        assert total == 144, step.key


def test_the_near_player_has_the_right_number_of_tiles(steps):
    for step in steps:
        count = len(own(step)) + 3 * len(step.melds)
        moved = step.key in {"choice", "win", "pong", "laid", "draw"}
        assert count == (17 if moved else 16), step.key


def test_wall_only_shrinks_and_one_tile_at_a_time_in_play(steps):
    for one, two in pairwise(steps):
        assert 0 <= one.wall - two.wall <= 2
    assert steps[-1].wall > 16


def test_the_gold_is_never_discarded_nor_claimed(steps):
    gold = steps[2].gold
    for step in steps:
        assert gold not in step.pool
        assert all(gold not in meld for meld in step.melds)


def test_everybody_follows_and_nobody_throws_gold(monkeypatch):
    thrown = []
    before = script._Course.discard

    def watched(self, seat, kind):
        thrown.append((seat, tuple(self.hands[seat]), tuple(self.discards), kind, self.plan.gold))
        before(self, seat, kind)

    monkeypatch.setattr(script._Course, "discard", watched)
    bindings = 0
    for number in NUMBERS:
        thrown.clear()
        course_start = len(play(number))
        assert course_start
        # keep the last attempt only: it is the one that was played to the end
        start = max(index for index, (*_, discards, _kind, _gold) in enumerate(thrown) if not discards)
        for _seat, hand, discards, kind, gold in thrown[start:]:
            assert len(hand) % 3 == 2
            assert kind in hand
            assert kind != gold
            counts = Counter(hand)
            bound = {k for k in set(discards) if k >= HONOUR and k != WHITE and counts[k] == 1}
            bindings += bool(bound)
            assert not bound or kind in bound
    assert bindings > 10  # the rule did bind somebody


def test_steps_change_by_the_tile_they_say(steps):
    for one, two in pairwise(steps[3:]):
        move = two.move
        if two.key in {"discard", "ready", "youjin"}:
            assert Counter(own(one)) - Counter(own(two)) == Counter([move.kind])
            assert two.pool == (*one.pool, move.kind)
        elif two.key == "other":
            assert own(one) == own(two)
            assert two.pool == (*one.pool, move.kind)
        elif two.key == "pong":
            assert two.pool == one.pool[:-1]
            assert one.pool[-1] == move.kind
            assert own(one).count(move.kind) == 2


def test_every_discard_of_the_near_player_is_an_option_the_rules_allow(steps):
    checked = 0
    for one, two in pairwise(steps):
        if two.key not in {"discard", "ready", "youjin"}:
            continue
        answer = api.options(one.record)
        assert "error" not in answer, answer
        entry = next(entry for entry in answer["discards"] if entry["tile"] == CODES[two.move.kind])
        assert entry["legal"], (two.key, entry)
        state = {"discard": "not_ready"}.get(two.key, two.key)
        assert entry["state"] == state
        assert answer["win_now"]["legal"] == (one.key == "choice")
        checked += 1
    assert checked == 6


def test_the_pong_is_a_claim_the_rules_allow(steps):
    index = next(number for number, step in enumerate(steps) if step.key == "pong")
    before, after = steps[index - 1], steps[index]
    offered = CODES[after.move.kind]
    record = dict(before.record)
    table = dict(record["table"])
    table["visible"] = "".join(CODES[kind] for kind in before.pool[:-1])
    table["discards"] = "".join(parse_codes(table["discards"])[:-1])
    record |= {"table": table, "offered": {"tile": offered, "from": after.record["melds"][0]["from"]}}
    answer = api.claims(record)
    assert "error" not in answer, answer
    assert answer["pong"]["legal"], answer["pong"]


def parse_codes(text):
    return [CODES[kind] for kind in parse_tiles(text)]


def test_the_win_is_a_youjin_and_settles(steps):
    choice = next(step for step in steps if step.key == "choice")
    win = next(step for step in steps if step.key == "win")
    assert api.options(choice.record)["win_now"]["settlement"]["method"] == "self_draw"
    assert api.options(win.record)["win_now"]["settlement"]["method"] == "youjin"
    answer = api.score(steps[-1].record)
    assert answer["valid"], answer
    assert answer["method"] == "youjin"
    assert sum(answer["payments"].values()) == 0
    assert answer["payments"][steps[-1].record["seat"]] > 0


def test_records_between_turns_are_read_by_the_engine(steps):
    for step in steps[3:-1]:
        if step.key in {"ready", "youjin"}:
            answer = api.waits(step.record)
            assert answer["state"] == step.key
            assert answer["waits"]


def test_some_hands_hold_a_white_that_stands_for_the_gold():
    assert any(WHITE in own(play(number)[3]) for number in NUMBERS)


def test_captions_exist_in_three_languages_and_name_the_tile(steps):
    for step in steps:
        texts = step.caption.as_json()
        assert all(texts.values())
        assert "{" not in "".join(texts.values())
    gold = next(step for step in steps if step.key == "gold")
    assert INDEX[gold.record["gold"]] == gold.gold
