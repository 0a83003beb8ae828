"""Messages of WebSockets and event streams are kept within bounds."""

from charlotte.actors.state.messages import CAPACITY, LONGEST_MESSAGE, Conversation, MessageLog


def test_counts_and_order_of_messages_are_kept() -> None:
    log, talk = MessageLog(), Conversation(epoch=1000)
    log.add(talk, "ping", 1, is_sent=True)
    log.add(talk, "pong", 2)

    assert (talk.sent, talk.received, talk.dropped) == (1, 1, 0)
    assert [(one.number, one.is_sent, one.time, one.text) for one in talk.kept] == [
        (1, True, 1001, "ping"),
        (2, False, 1002, "pong"),
    ]


def test_a_long_message_is_cut_after_its_secrets_are_hidden() -> None:
    log, talk = MessageLog(lambda text: text.replace("hush", "<secret>")), Conversation()
    log.add(talk, "x" * (LONGEST_MESSAGE - 2) + "hush", 1)
    [message] = talk.kept

    assert message.text == "x" * (LONGEST_MESSAGE - 2) + "<s…"
    assert message.length == LONGEST_MESSAGE + 2


def test_the_busiest_connection_drops_its_oldest_messages_first() -> None:
    log, busy, quiet = MessageLog(), Conversation(), Conversation()
    log.add(quiet, "the first", 0)
    for number in range(10_000):
        log.add(busy, f"{number}", number)
    for _ in range(200):
        log.add(busy, "x" * LONGEST_MESSAGE, 1)

    assert log.size <= CAPACITY
    assert [one.text for one in quiet.kept] == ["the first"]
    assert busy.kept[-1].number == 10_200
    assert busy.dropped == 10_200 - len(busy.kept) > 9000
