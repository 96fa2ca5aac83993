#!/usr/bin/env node
// Kept outside of what is compiled, so that it is there, and executable, when packages are installed.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write('payassent is not compiled yet. Run "npm run build" in the repository root.\n');
  process.exitCode = 1;
}
