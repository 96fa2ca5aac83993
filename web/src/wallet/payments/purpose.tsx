import { purposeOf, shownName } from '@payassent/protocol';
import { review } from '../../texts/wallet.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import type { Payment } from './payment.ts';
import { displayOf, useDescription } from './use-purpose.ts';

const { purpose: texts, said } = review;

/** One line, quoted. It keeps its place while the text is loading, so that nothing below it moves. */
export function Purpose({ payment }: { payment: Payment }) {
  const description = useDescription(payment);
  const isReading = payment.context !== undefined && description.isPending;
  const purpose = purposeOf({ ...displayOf(payment), ...description.data?.content });
  const none = description.isError ? said.contextMissing : texts.none;
  return (
    <p className="sheet-purpose" data-is-quoted={purpose !== undefined && shownName(purpose) !== undefined}>
      {isReading ? '\u00a0' : purpose === undefined ? none : <Quoted>{purpose}</Quoted>}
    </p>
  );
}

/**
 * Text next to pinned details obeys the rule of names: statements reserved for the page are not repeated on a separate
 * line.
 */
function Quoted({ children }: { children: string }) {
  const shown = shownName(children);
  if (shown === undefined) return texts.withheld;
  return (
    <>
      <q>
        <ForeignText inline>{shown}</ForeignText>
      </q>
      <span className="sheet-purpose-mark">{texts.mark}</span>
    </>
  );
}
