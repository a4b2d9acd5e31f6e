"""What is remembered, over the buffered resources: history, clearing, feedback."""

from tests.e2e.client import Client, new_session, problem
from tests.e2e.service import SharedStack


def test_a_turn_is_stored_as_it_was_streamed(client: Client) -> None:
    session = new_session()
    answer = client.stream("Who composed the score of Snowpiercer?", session)
    user, assistant = client.messages(session)["messages"]
    assert (user["seq"], user["role"], user["content"]) == (1, "user", "Who composed the score of Snowpiercer?")
    assert (assistant["seq"], assistant["role"], assistant["content"]) == (2, "assistant", answer.text)
    assert assistant["message_id"] == answer.done["message_id"]
    assert assistant["conversation_id"] == user["conversation_id"] == answer.done["conversation_id"]
    assert assistant["citations"] == answer.done["citations"]
    assert assistant["debug"]["route"] == answer.done["route"]
    assert assistant["debug"]["timings_ms"]["lookup"] > 0


def test_history_is_listed_in_pages_newest_first(client: Client) -> None:
    session = new_session()
    for message in ("你好", "Hello", "Thank you"):
        client.stream(message, session, kb_prefix="general")
    newest = client.messages(session, limit=4)
    assert [message["seq"] for message in newest["messages"]] == [3, 4, 5, 6]
    assert newest["next_before"] == newest["messages"][0]["message_id"]
    oldest = client.messages(session, limit=4, before=newest["next_before"])
    assert [(message["seq"], message["role"]) for message in oldest["messages"]] == [(1, "user"), (2, "assistant")]
    assert oldest["messages"][0]["content"] == "你好"
    assert oldest["next_before"] == ""


def test_conversations_are_listed_the_last_written_first(client: Client) -> None:
    first, second = new_session(), new_session()
    for session in (first, second, first):
        client.stream("Hello", session, kb_prefix="general")
    listed = client.get("/conversations").json()["conversations"]
    assert [(each["session_id"], each["message_count"]) for each in listed] == [(first, 4), (second, 2)]
    assert {each["title"] for each in listed} == {"Hello"}
    assert client.get("/conversations", limit=1).json()["conversations"] == listed[:1]


def test_clearing_tells_how_many_messages_there_were_and_forgets_them(client: Client) -> None:
    session = new_session()
    client.stream("Who directed Parasite?", session)
    cleared = client.post("/clear", {"user_id": client.user_id, "session_id": session})
    assert cleared.json() == {"status": "ok", "remaining_messages": "0", "cleared": 2}
    assert client.messages(session)["messages"] == []
    # Nothing is left that the pronoun could stand for.
    assert "sociology" not in client.stream("What did he study at university?", session).text
    again = client.post("/clear", {"user_id": client.user_id, "session_id": session})
    assert again.json()["cleared"] == 2


def test_feedback_stays_with_its_message_and_a_later_one_replaces_it(client: Client) -> None:
    session = new_session()
    message_id = client.stream("Who directed Parasite?", session).done["message_id"]
    about = {"user_id": client.user_id, "thread_id": session, "message_id": message_id, "query": "Who directed it?"}
    for is_positive in (False, True):
        sent = client.post("/feedback", about | {"is_positive": is_positive, "metadata": {"from": "test"}})
        assert sent.json() == {"status": "ok", "message_id": message_id}
    user, assistant = client.messages(session)["messages"]
    assert user["feedback"] is None
    assert assistant["feedback"]["is_positive"] is True
    assert assistant["feedback"]["thread_id"] == session
    assert assistant["feedback"]["metadata"] == {"from": "test"}
    missing = client.post("/feedback", about | {"is_positive": True, "message_id": message_id[:-1] + "9"})
    assert problem(missing) == (404, "message-not-found")


def test_a_message_sent_twice_is_stored_once(client: Client) -> None:
    session = new_session()
    for _ in range(2):
        client.stream("Hello", session, kb_prefix="general", message_id="m-1")
    roles = [message["role"] for message in client.messages(session)["messages"]]
    assert roles == ["user", "assistant"]


def test_tenants_do_not_see_each_other(client: Client, stack: SharedStack) -> None:
    session = new_session()
    client.stream("Hello", session, kb_prefix="general")
    with Client(stack.url, user_id=client.user_id, tenant_id="other") as other:
        assert other.sessions() == []
        assert problem(other.get(f"/conversations/{session}/messages")) == (404, "conversation-not-found")
        assert other.get("/knowledge-bases").json() == {"knowledge_bases": []}
        assert problem(other.post("/chat", other.body("Hi", kb_prefix="movie"))) == (404, "unknown-knowledge-base")
        answer = other.stream("Who directed Parasite?", session)
        assert answer.done["route"]["kb_prefix"] == "general"
        assert "No knowledge base is loaded yet." in answer.text
        cleared = other.post("/clear", {"user_id": other.user_id, "session_id": session})
        assert cleared.json()["cleared"] == 2
    assert len(client.messages(session)["messages"]) == 2


def test_users_of_a_tenant_do_not_see_each_other(client: Client, stack: SharedStack) -> None:
    session = new_session()
    client.stream("Hello", session, kb_prefix="general")
    with Client(stack.url, user_id=f"{client.user_id}-2") as other:
        assert problem(other.get(f"/conversations/{session}/messages")) == (404, "conversation-not-found")


def test_a_message_is_routed_without_being_answered_or_stored(client: Client) -> None:
    response = client.post("/route", {"message": "《卧虎藏龙》的导演是谁？"})
    assert response.status_code == 200
    decision = response.json()
    assert (decision["kb_prefix"], decision["method"]) == ("movie", "heuristic")
    assert 0 < decision["confidence"] <= 1
    assert decision["reason"]
    assert decision["plan"][0]["worker_name"] == decision["worker_name"] == "movie:graph_agent:retrieve_only"
    assert client.sessions() == []


def test_the_knowledge_bases_are_listed_with_what_is_in_them(client: Client) -> None:
    listed = {each["prefix"]: each for each in client.get("/knowledge-bases").json()["knowledge_bases"]}
    assert {"edu", "movie"} <= set(listed)
    for prefix in ("edu", "movie"):
        assert listed[prefix]["documents"] >= 40
        assert listed[prefix]["entities"] > listed[prefix]["documents"] / 2
        assert listed[prefix]["relations"] > 0
        assert listed[prefix]["index_state"] == "ready"
