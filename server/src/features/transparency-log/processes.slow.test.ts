// Slow: kills processes at random.
import { killWhileIntegrating } from '@payassent/proof/rounds/log';
import { serviceForTest } from '@payassent/proof/service/service';
import { it } from 'vitest';

it('processes that are killed while they integrate: no two checkpoints contradict each other, and no entry is lost or doubled', async () => {
  await killWhileIntegrating(await serviceForTest({ jobs: false }), 4);
});
