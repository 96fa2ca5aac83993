// Slow: runs the conformance suite of MCP, once for each protocol line.
import { judgeServer, startCredentialProxy } from '@payassent/proof/service/conformance';
import { type McpStage, mcpStage, PROTOCOL_LINES } from '@payassent/proof/service/mcp';
import { afterAll, beforeAll, expect, it } from 'vitest';

let stage: McpStage;
let proxy: Awaited<ReturnType<typeof startCredentialProxy>>;
beforeAll(async () => {
  proxy = await startCredentialProxy();
  stage = await mcpStage({ env: { SVC_CORS_ORIGINS: proxy.url } });
  proxy.lead(stage.service.url, stage.connectionToken);
});
afterAll(async () => {
  proxy?.close();
  await stage.service.close();
});

/**
 * The suite's results where a server leaves out optional parts: prompts, completion, subscriptions, the tools of the
 * suite.
 */
const LEFT_OUT = [
  /^(Failed: |JSON-RPC error: |prompts\/list returned JSON-RPC error -32601: )?(MCP error -3260\d: )?(There is no tool test_\w+|Method not found|No such resource)$/,
  /^Tool 'json_schema_2020_12_tool' not found/,
  /^Not testable: server (does not list the diagnostic tool|exposes no tool with x-mcp-header annotations)/,
  /^Expected first frame method to be 'notifications\/subscriptions\/acknowledged', got 'undefined'$/,
  /^subscriptions\/listen stream carried no notification frames/,
  // They depend on tools of the suite; our own rounds are in rounds.test.ts.
  /^Expected InputRequiredResult with inputRequests and requestState$/,
  /^Prerequisite failed: could not get initial InputRequiredResult/,
];

/** With the expected checks of each: a suite that leaves one out, or checks nothing, is noticed. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': ['initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    ...['stateless', 'tools-list', 'resources-list', 'sep-2164-resource-not-found', 'caching'],
    ...['dns-rebinding-protection', 'http-header-validation', 'input-required-result-unsupported-methods'],
  ],
};

it.each(PROTOCOL_LINES)('passes the conformance suite of %s in all that it offers', async (line) => {
  const judged = await judgeServer(`${proxy.url}/mcp`, line);
  const failed = judged.filter(({ status }) => status === 'FAILURE');
  const isLeftOut = ({ errorMessage = '' }) => LEFT_OUT.some((pattern) => pattern.test(errorMessage));
  expect(failed.filter((check) => !isLeftOut(check))).toEqual([]);
  const passed = judged.filter(({ status }) => status === 'SUCCESS').map(({ scenario }) => scenario);
  for (const name of HELD[line] ?? [])
    expect(passed.filter((scenario) => scenario.replace(/^server-/, '') === name)).not.toEqual([]);
});
