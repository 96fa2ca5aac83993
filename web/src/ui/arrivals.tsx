import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import { Skeleton } from './notes.tsx';
import { PAGE_SHOWN } from './page.tsx';
import { queries } from './queries.ts';
import './arrivals.css';

interface Surroundings {
  page: string;
  isDrawn: boolean;
  place: HTMLElement | null;
  setPlace: Dispatch<SetStateAction<HTMLElement | null>>;
}

const SurroundingsContext = createContext<Surroundings | undefined>(undefined);

/** A notice delays its page by no more. */
const LONGEST_HOLD_MS = 1_500;

interface ArrivalsProps {
  /** Its address. On the next page a notice that floated takes its regular place. */
  page: string;
  /** Queries that decide what is above the content: until they end, only a skeleton is shown. */
  needs?: readonly (readonly string[])[];
  /** Whether the page itself is loaded. */
  isShown?: boolean;
  children: ReactNode;
}

/** Wraps a page in which nothing moves under a finger: a notice that arrives after the first paint floats. */
export function Arrivals({ page, needs = NOTHING, isShown = true, children }: ArrivalsProps) {
  const isReady = useReady(needs);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [drawnPage, setDrawnPage] = useState<string>();
  useEffect(() => {
    if (isReady && isShown) setDrawnPage(page);
  }, [isReady, isShown, page]);
  // A hidden title could not take the focus.
  useEffect(() => {
    if (isReady && document.activeElement === document.body)
      document.querySelector<HTMLElement>('#content h1')?.focus();
  }, [isReady]);
  const isDrawn = drawnPage === page;
  const surroundings = useMemo(() => ({ page, isDrawn, place, setPlace }), [page, isDrawn, place]);
  return (
    <SurroundingsContext value={surroundings}>
      {isReady ? null : <Skeleton />}
      <div className="arriving" data-is-ready={isReady}>
        {children}
      </div>
    </SurroundingsContext>
  );
}

const NOTHING: readonly (readonly string[])[] = [];

function subscribe(listener: () => void): () => void {
  return queries.getQueryCache().subscribe(listener);
}

/** Never reset: a notice that is loaded again hides nothing. */
function useReady(needs: readonly (readonly string[])[]): boolean {
  const areRead = useSyncExternalStore(subscribe, () =>
    needs.every((queryKey) => (queries.getQueryState(queryKey)?.status ?? 'pending') !== 'pending'),
  );
  const [isReady, setReady] = useState(areRead);
  useEffect(() => {
    if (areRead) setReady(true);
    const timer = setTimeout(() => setReady(true), LONGEST_HOLD_MS);
    return () => clearTimeout(timer);
  }, [areRead]);
  return isReady || areRead;
}

/** Whether the title of the page at this address is on the screen. */
export function useIsShown(page: string): boolean {
  const [shown, setShown] = useState<string>();
  // Subscribes before the effect of the page that sends the event.
  useLayoutEffect(() => {
    const onShown = () => setShown(page);
    addEventListener(PAGE_SHOWN, onShown);
    return () => removeEventListener(PAGE_SHOWN, onShown);
  }, [page]);
  return shown === page;
}

/** Holds late notices: above the lower edge of the screen, and announced by screen readers. */
export function ArrivalPlace() {
  const surroundings = use(SurroundingsContext);
  return <div className="arrival-place" role="status" ref={surroundings?.setPlace} />;
}

/** A notice: in its place if it arrives with the page, above the lower edge of the screen if it arrives later. */
export function Arrival({ children }: { children: ReactNode }) {
  const surroundings = use(SurroundingsContext);
  return surroundings === undefined ? (
    children
  ) : (
    <PlacedArrival key={surroundings.page} {...surroundings}>
      {children}
    </PlacedArrival>
  );
}

function PlacedArrival({ isDrawn, place, children }: Surroundings & { children: ReactNode }) {
  const [isLate] = useState(isDrawn);
  return isLate && place !== null ? createPortal(children, place) : children;
}
