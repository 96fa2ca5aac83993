import { it } from 'vitest';
import { killWhileIntegrating } from '../../stage/rounds/log.ts';
import { serviceForTest } from '../../stage/service/service.ts';

it('twenty rounds of kill -9 with two processes leave one log, without a contradiction, a gap or an entry too many', async () => {
  await killWhileIntegrating(await serviceForTest({ jobs: false }), 20);
}, 300_000);
