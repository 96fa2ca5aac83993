import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../stage/root.ts';

export interface SuiteResult {
  passed: number;
  failed: number;
  skipped: number;
  summary: string;
}

interface Assertion {
  status: string;
  fullName: string;
  failureMessages?: string[];
}

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { name: string; status: string; assertionResults: Assertion[] }[];
}

/** How much of a failed test is shown: the message and its origin. */
const SHOWN_LINES = 8;

/** The tests of the service, each file on a separate database over a coordinator and two workers. */
export async function runSuite(paths: readonly string[], say: (text: string) => void): Promise<SuiteResult> {
  const file = join(tmpdir(), `payassent-suite-${process.pid}.json`);
  say(`tests on a distributed database: ${paths.join(' ')}`);
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=json',
      `--outputFile=${file}`,
      ...paths,
    ],
    { cwd: ROOT, env: { ...process.env, SVC_TEST_CITUS: '1' }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  await rm(file, { force: true });
  for (const { name, status, assertionResults } of report.testResults) {
    const failed = assertionResults.filter((each) => each.status === 'failed');
    if (status === 'failed' && failed.length === 0) say(`  ! ${name.replace(ROOT, '')} did not begin`);
    for (const { fullName, failureMessages: [message = ''] = [] } of failed)
      say(
        `  ! ${name.replace(ROOT, '')}: ${fullName}\n    ${message.split('\n').slice(0, SHOWN_LINES).join('\n    ')}`,
      );
  }
  const unbegun = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((each) => each.status !== 'failed'),
  ).length;
  const failed = report.numFailedTests + unbegun;
  const summary = `${report.numPassedTests.toLocaleString('en')} tests passed on a distributed database, ${failed} failed, ${report.numPendingTests} were left out.`;
  say(summary);
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests, summary };
}
