const PATHS = {
  shield: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4',
  question: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM12 8v5M12 16v.01',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  clock: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  back: 'M15 5l-7 7 7 7',
  inbox: 'M4 13l2-8h12l2 8v6H4zM4 13h5l1 3h4l1-3h5',
  plus: 'M12 5v14M5 12h14',
  agents: 'M7 8h10v9H7zM12 4v4M4 11v3M20 11v3M10 12v.01M14 12v.01',
  policies: 'M6 3h9l4 4v14H6zM9 11h7M9 15h7',
  devices: 'M8 3h8v18H8zM11 18h2',
  more: 'M4 6h16M4 12h16M4 18h16',
  key: 'M14 10a4 4 0 1 0-4 4l1-1 2 2 1-1-1-1 2-2zM13 13l7 7',
} as const;

export type IconName = keyof typeof PATHS;

/** One set, one weight. An icon never stands without words beside it, so it is silent. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
