// Server-sent events over fetch, because EventSource cannot send a token.

const RETRY_MS = 2000;

export class Refused extends Error {}

// Requests a path; with a body, sends it as JSON.
export async function ask(path, token, body) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const options = { headers };
  if (body !== undefined) {
    Object.assign(options, { method: "POST", body: JSON.stringify(body) });
    headers["content-type"] = "application/json";
  }
  const response = await fetch(`api/${path}`, options);
  if (response.status === 401) throw new Refused();
  return response;
}

export async function* frames(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    yield* parts;
  }
}

export function read(frame) {
  const fields = frame.split("\n").map((line) => line.split(/: (.*)/s));
  const { event, data } = Object.fromEntries(fields);
  return [event, JSON.parse(data)];
}

// Calls `on[event](data)` per event, and `on.connection(state)`; returns only if refused.
export async function follow(token, on) {
  for (;;) {
    try {
      const response = await ask("live", token);
      if (!response.ok) throw new Error(response.statusText);
      on.connection("live");
      for await (const frame of frames(response.body)) {
        const [event, data] = read(frame);
        on[event](data);
      }
    } catch (error) {
      if (error instanceof Refused) throw error;
    }
    on.connection("lost");
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
