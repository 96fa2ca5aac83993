import { killWhileIntegrating } from '@payassent/test-kit/rounds/log';
import { serviceForTest } from '@payassent/test-kit/service';
import { it } from 'vitest';

it('twenty rounds of kill -9 with two processes leave one log, without a contradiction, a gap or an entry too many', async () => {
  await killWhileIntegrating(await serviceForTest({ jobs: false }), 20);
}, 300_000);
