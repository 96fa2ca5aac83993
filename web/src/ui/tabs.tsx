import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

interface TabsProps<Choice extends string> {
  /** What the row of tabs is called. */
  label: string;
  choices: Readonly<Record<Choice, string>>;
  children: (choice: Choice) => ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Ways to do one thing, of which one is shown. Arrow keys go from tab to tab, the tabulator key goes past them. */
export function Tabs<Choice extends string>({ label, choices, children }: TabsProps<Choice>) {
  const all = Object.keys(choices) as Choice[];
  const [chosen, choose] = useState(all[0] as Choice);
  const list = useRef<HTMLDivElement>(null);
  const panelId = useId();
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const next = (all.indexOf(chosen) + step + all.length) % all.length;
    choose(all[next] as Choice);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div className="card stack">
      <div className="row" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {all.map((choice) => (
          <button
            className="wallet-choice"
            type="button"
            role="tab"
            aria-selected={choice === chosen}
            aria-controls={panelId}
            tabIndex={choice === chosen ? 0 : -1}
            onClick={() => choose(choice)}
            key={choice}
          >
            {choices[choice]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={panelId} aria-label={choices[chosen]} key={chosen}>
        {children(chosen)}
      </div>
    </div>
  );
}
