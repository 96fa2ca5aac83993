import type { PaymentRequest } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { paymentRequests } from '../../texts/portal/payment-requests.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { merchantClient } from '../client.ts';
import { toCsv } from './csv.ts';
import type { ListFilters } from './filters.tsx';

const texts = paymentRequests.download;
const ROWS_AT_MOST = 10_000;

/** What the filters choose, as a table for other programs. */
export function Download({ filters }: { filters: ListFilters }) {
  const download = useMutation({
    mutationFn: async () => {
      const rows: PaymentRequest[] = [];
      for await (const request of merchantClient.paymentRequests.each({ limit: 100, ...filters })) {
        if (rows.length === ROWS_AT_MOST) break;
        rows.push(request);
      }
      saveFile('payments.csv', toCsv(rows), 'text/csv;charset=utf-8');
      return rows.length;
    },
  });
  const count = download.data;
  return (
    <>
      <Button isBusy={download.isPending} onClick={() => download.mutate()}>
        {texts.action}
      </Button>
      <span role="status" className="soft">
        {count === undefined ? '' : count === ROWS_AT_MOST ? texts.cut(count) : texts.saved(count)}
      </span>
      {download.isError ? <ErrorNote error={download.error} /> : null}
    </>
  );
}
