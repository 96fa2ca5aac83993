import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** Why a test was left out stands in its own name or in that of a group around it. */
const REASON = /\((?:skipped|needs|left out): ?([^)]*)\)/;

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
      leftOut: countedReasons(skipped),
      counts: { passed: tests.length - skipped.length, skipped: skipped.length },
    };
    writeFileSync(this.#target, JSON.stringify(report));
  }
}

function countedReasons(skipped: readonly TestCase[]): string[] {
  const counts = new Map<string, number>();
  for (const test of skipped) {
    const reason = reasonOf(test);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} tests, ${reason}`);
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return note ?? REASON.exec(test.fullName)?.[1] ?? `for no stated reason: ${test.fullName}`;
}
