"""Questions about held requests: who is asked, for how long, and what time limits they extend."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.state.questions import Question, Questions, Verdict

HELD = "POST https://shop.test/orders"
PAGE = "https://shop.test"


@pytest.fixture
def asked() -> list[Question]:
    return []


async def ask(questions: Questions, verdicts: list[Verdict], tab_id: str = "tab-1") -> None:
    verdicts.append(await questions.ask(HELD, "orders", tab_id, PAGE))


async def test_without_a_way_to_a_person_a_question_is_refused_at_once() -> None:
    verdict = await Questions().ask(HELD, "orders", "tab-1", PAGE)
    assert not verdict.is_allowed
    assert "--dashboard" in verdict.reason


@pytest.mark.parametrize("allow", [True, False])
async def test_the_answer_of_a_person_counts_once(allow: bool, asked: list[Question]) -> None:  # noqa: FBT001
    questions, verdicts = Questions(), list[Verdict]()
    async with trio.open_nursery() as nursery:
        with questions.channel("tab-1", asked.append):
            nursery.start_soon(ask, questions, verdicts)
            await wait_all_tasks_blocked()
        assert asked[0].decide(allow=allow)
        assert not asked[0].decide(allow=not allow)
    assert [verdict.is_allowed for verdict in verdicts] == [allow]
    assert not questions.open


async def test_a_question_without_an_answer_is_refused_at_its_deadline(
    autojump_clock: MockClock, asked: list[Question]
) -> None:
    questions, verdicts = Questions(seconds=30), list[Verdict]()
    with questions.channel(None, asked.append):
        await ask(questions, verdicts)
    assert trio.current_time() == pytest.approx(30)
    assert verdicts == [Verdict(is_allowed=False, reason="there was no answer within 30 s")]
    assert not asked[0].decide(allow=True)


async def test_the_newest_call_on_the_tab_is_asked_first(asked: list[Question]) -> None:
    questions, other = Questions(seconds=0.01), list[Question]()
    with (
        questions.channel("tab-1", other.append),
        questions.channel("tab-1", asked.append),
        questions.channel("tab-2", other.append),
    ):
        await questions.ask(HELD, "orders", "tab-1", PAGE)
        assert (len(asked), len(other)) == (1, 0)
        await questions.ask(HELD, "orders", "tab-3", PAGE)
        assert (len(asked), len(other)) == (1, 1)


async def test_questions_no_client_shows_go_to_the_dashboard(asked: list[Question]) -> None:
    for has_dashboard in (True, False):
        questions, verdicts = Questions(has_dashboard=has_dashboard), list[Verdict]()
        async with trio.open_nursery() as nursery:
            with questions.channel("tab-1", questions.give_back):
                nursery.start_soon(ask, questions, verdicts)
                await wait_all_tasks_blocked()
            assert bool(questions.open) is has_dashboard
            for question in questions.open.values():
                question.decide(allow=True)
        assert [verdict.is_allowed for verdict in verdicts] == [has_dashboard]


async def test_closing_the_tab_withdraws_its_questions_only() -> None:
    questions, verdicts = Questions(has_dashboard=True), list[Verdict]()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask, questions, verdicts, "tab-1")
        nursery.start_soon(ask, questions, verdicts, "tab-2")
        await wait_all_tasks_blocked()
        questions.withdraw("tab-1")
        await wait_all_tasks_blocked()
        assert [verdict.reason for verdict in verdicts] == ["its tab was closed"]
        assert [question.tab_id for question in questions.open.values()] == ["tab-2"]
        nursery.cancel_scope.cancel()


async def test_time_limits_of_the_tab_stop_while_a_person_thinks(autojump_clock: MockClock) -> None:
    questions, verdicts = Questions(seconds=60, has_dashboard=True), list[Verdict]()
    with trio.move_on_after(10) as limit, trio.move_on_after(10) as other:
        async with trio.open_nursery() as nursery:
            with questions.extending("tab-1", limit), questions.extending("tab-2", other):
                nursery.start_soon(ask, questions, verdicts)
                await trio.sleep(5)
                assert (limit.deadline, other.deadline) == (70, 10)
                [question] = questions.open.values()
                question.decide(allow=True)
                await wait_all_tasks_blocked()
                assert limit.deadline == 15


async def test_a_call_waits_until_the_questions_of_its_tab_are_settled() -> None:
    questions, done = Questions(has_dashboard=True), list[bool]()

    async def wait() -> None:
        done.append(await questions.wait_until_settled("tab-1"))

    await wait()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask, questions, list[Verdict]())
        await wait_all_tasks_blocked()
        nursery.start_soon(wait)
        await wait_all_tasks_blocked()
        assert done == [False]
        [question] = questions.open.values()
        question.decide(allow=False)
    assert done == [False, True]


def test_the_question_shows_page_rule_and_request() -> None:
    async def build() -> str:
        return Question(HELD, "orders", "tab-1", PAGE, 9).text

    text = trio.run(build)
    assert PAGE in text
    assert "'orders'" in text
    assert HELD in text
