import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../src/generate/index.ts';

const files = generatedFiles();

describe('generated files', () => {
  it.each(Object.keys(files))('%s agrees with the code (npm run generate)', (path) => {
    const committed = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(
      committed === files[path],
      `${path} differs from the code: run "npm run generate" and commit it`,
    ).toBe(true);
  });
});

describe('the OpenAPI document', () => {
  it('passes an external linter without errors or warnings', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: files['openapi.json'] ?? '', config });
    expect(
      problems.map((problem) => `${problem.ruleId}: ${problem.message} at ${problem.location[0]?.pointer}`),
    ).toEqual([]);
  });
});
