// A person at OpenClaw's control: answers each approval that a plugin asks for, and prints what was asked, a line of JSON each.
//   node approver.mjs PLUGIN_SDK DECISION   (HOME is the gateway's)
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [sdk, decision] = process.argv.slice(2);
const { GatewayClient } = await import(pathToFileURL(join(sdk, "gateway-runtime.js")).href);
const config = JSON.parse(readFileSync(join(process.env.HOME, ".openclaw", "openclaw.json"), "utf8"));
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const client = new GatewayClient({
  url: `ws://127.0.0.1:${config.gateway.port}`,
  token: config.gateway.auth.token,
  clientName: "gateway-client",
  mode: "backend",
  caps: ["approvals"],
  scopes: ["operator.admin", "operator.approvals"],
  clientDisplayName: "a test",
  onHelloOk: () => print({ ready: true }),
  onConnectError: (error) => print({ error: String(error) }),
  onEvent: async ({ event, payload }) => {
    if (event !== "plugin.approval.requested") return;
    print({ asked: payload.request });
    try {
      print({ resolved: await client.request("plugin.approval.resolve", { id: payload.id, decision }) });
    } catch (error) {
      print({ error: String(error) });
    }
  },
});
client.start();
process.on("SIGTERM", () => process.exit(0));
