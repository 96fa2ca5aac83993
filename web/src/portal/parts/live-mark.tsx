import { lists } from '../../texts/portal/status.ts';

/** Says that what is shown follows the service by itself, or that it has come to its end. */
export function LiveMark({ isFinal = false }: { isFinal?: boolean }) {
  return (
    <span className="live-mark" data-final={isFinal}>
      <span className="live-dot" aria-hidden="true" />
      {isFinal ? lists.stopped : lists.live}
    </span>
  );
}
