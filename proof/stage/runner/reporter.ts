import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { isDistributedRun, isPartitionedRun } from '../database/layout.ts';

/** `(needs the program anvil)`, `(left out: no Chromium)`; a reason may have one pair of brackets in it. */
const REASON = /\((?:(?:skipped|left out): ?|(?=needs ))((?:[^()]|\([^()]*\))+)\)/;
/** A run prints so many reasons, so that its end stays readable. */
const MOST_REASONS = 10;

/**
 * Writes for `scripts/check.mjs` what each test file cost and which tests were left out for what reason, to the file
 * that PAYASSENT_TEST_REPORT names.
 */
export default class ReportWriter implements Reporter {
  readonly #target = process.env['PAYASSENT_TEST_REPORT'];
  #root = '';

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#target === undefined) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const skipped = tests.filter((test) => test.result().state === 'skipped');
    const files = modules.map((module) => ({
      file: relative(this.#root, module.moduleId),
      ms: module.diagnostic().duration + module.diagnostic().collectDuration,
      tests: [...module.children.allTests()].length,
    }));
    const report = {
      files,
      leftOut: countReasons(skipped.map(reasonOf)),
      counts: { passed: tests.length - skipped.length, skipped: skipped.length },
    };
    writeFileSync(this.#target, JSON.stringify(report));
  }
}

/** Why a test was left out is in its own title or in that of a group around it. */
export function reasonIn(title: string): string | undefined {
  return REASON.exec(title)?.[1];
}

/** One line for each reason, the most frequent first. */
export function countReasons(reasons: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const lines = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} ${count === 1 ? 'test' : 'tests'}, ${reason}`);
  if (lines.length <= MOST_REASONS) return lines;
  const shown = lines.slice(0, MOST_REASONS - 1);
  return [...shown, `tests for ${lines.length - shown.length} further reasons`];
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return note ?? reasonIn(test.fullName) ?? layoutReason() ?? `for no stated reason: ${test.fullName}`;
}

/** The titles of tests that lay out their tables themselves have no reason: it is the same for all of them. */
function layoutReason(): string | undefined {
  if (isDistributedRun) return 'not meant for a distributed database (SVC_TEST_CITUS)';
  return isPartitionedRun ? 'not meant for partitioned tables (SVC_TEST_PARTITIONS)' : undefined;
}
