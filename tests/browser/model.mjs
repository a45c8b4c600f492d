// A model on this machine that answers as a test says, in the protocol that most servers speak.
import { createServer } from "node:http";

/**
 * `reply` gets the messages of a request and the model's name, and returns the fields of an answer or its words, perhaps
 * later. Returns what `assize.toml` says about it.
 */
export async function scripted(reply) {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (data) => (body += data));
    request.on("end", async () => {
      const { messages, model } = JSON.parse(body);
      const said = await reply(messages.map((message) => message.content).join("\n"), model);
      const content = typeof said === "string" ? said : JSON.stringify(said);
      const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
      const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "1", object: "chat.completion", model: "auditor", choices, usage }));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const settings = `[endpoints.hub]\nbase_url = "http://127.0.0.1:${server.address().port}/v1"\n`;
  return { settings, stop: () => server.close() };
}
