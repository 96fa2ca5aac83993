import type { Source } from '../../stage/load/jobs.ts';
import { say } from '../../stage/report.ts';
import { type Bench, callLeg, creates, type Ground, polls, reads, reports, serviceOn } from '../bench.ts';
import { storePending } from '../ground/stored.ts';

/** How long calls take when half of what is possible arrives, evenly and whatever the responses do. */
export async function measureLatency(bench: Bench, ground: Ground): Promise<void> {
  const service = await serviceOn(ground);
  const { settings } = bench;
  const legMs = settings.legMs * 2;
  const peakOf = async (source: Source) => (await callLeg(bench, service, source)).ratePerS;
  const measure = async (what: string, peak: number, source: Source) => {
    const ratePerS = Math.max(1, Math.floor(peak / 2));
    const leg = await callLeg(bench, service, source, { openRatePerS: ratePerS, legMs });
    bench.report.latencies.push({ what, ratePerS, latency: leg.latency });
    const { p50Ms, p99Ms } = leg.latency;
    say(`  ${what} at ${ratePerS}/s: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`);
  };
  await measure('create', await peakOf(creates(ground.callers)), creates(ground.callers));
  const readSource = await reads(ground);
  await measure('read one request', await peakOf(readSource), readSource);
  const pollSource = await polls(ground);
  await measure('poll events', await peakOf(pollSource), pollSource);
  const { sql } = ground.database;
  const first = await storePending(sql, ground.callers, settings.reports, 'peak of reports');
  const peak = await peakOf(reports(first, 'signed'));
  const needed = Math.ceil((peak / 2) * ((settings.warmUpMs + legMs) / 1000)) + 100;
  const pending = await storePending(sql, ground.callers, needed, 'reports at half the peak');
  await measure('status report', peak, reports(pending, 'signed'));
  await service.stop();
}
