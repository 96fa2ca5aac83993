import type { Document } from '../http/document.ts';
import type { Authenticators } from '../http/kernel.ts';
import type { Route } from '../http/route.ts';
import type { Job } from '../jobs/job.ts';
import type { RetentionRule } from '../jobs/retention.ts';

/** Everything a folder under `features/` provides to the service. `app.ts` lists the features one by one. */
export interface Feature {
  name: string;
  routes?: readonly Route[];
  documents?: readonly Document[];
  /** Served where no path matches. */
  lost?: Document['serve'];
  jobs?: readonly Job[];
  retention?: readonly RetentionRule[];
  authenticators?: Partial<Authenticators>;
}
