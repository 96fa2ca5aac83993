import { lists } from '../../texts/portal/status.ts';

/** Says whether what is shown follows the service by itself, has come to its end, or is out of date. */
export function LiveMark({
  query,
  isFinal = false,
}: {
  query: { isError: boolean; fetchStatus: string };
  isFinal?: boolean;
}) {
  const isLost = query.isError || query.fetchStatus === 'paused';
  const state = isLost ? 'lost' : isFinal ? 'final' : 'live';
  return (
    <span className="live-mark" data-state={state}>
      <span className="live-dot" aria-hidden="true" />
      {lists.live[state]}
    </span>
  );
}
