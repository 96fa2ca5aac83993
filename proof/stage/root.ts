import { fileURLToPath } from 'node:url';

/** The root of the repository, also for what was compiled into `proof/dist`. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/proof\/dist\/$/, '');
