import { lists } from '../../texts/portal/status.ts';
import { useOnline } from '../../ui/offline-note.tsx';

/** Says whether what is shown follows the service by itself, has come to its end, or is out of date. */
export function LiveMark({ query, isFinal = false }: { query: { isError: boolean }; isFinal?: boolean }) {
  const isOnline = useOnline();
  const isLost = query.isError || !isOnline;
  const state = isLost ? 'lost' : isFinal ? 'final' : 'live';
  return (
    <span className="live-mark" data-state={state}>
      <span className="live-dot" aria-hidden="true" />
      {lists.live[state]}
    </span>
  );
}
