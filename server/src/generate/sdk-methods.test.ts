import { operations, PAGE, pageOf } from '@payassent/protocol/api';
import { schema } from '@payassent/protocol/records';
import { expect, it } from 'vitest';
import { sdkMethodFiles } from './sdk-methods.ts';

const operation = operations({ tag: 'Agents', credential: ['merchant'] });
const { record, text } = schema;
const Shelf = record('Shelf', 'A shelf.', { name: text('Its name.') });

it('writes a new operation as a method of the part that it names, with what its path and schemas need', () => {
  const moveBook = operation('moveBook', 'POST /v1/book-racks/{id}/books/{book_id}/move', {
    sdk: 'MerchantAgents.moveBook',
    summary: 'Move a book',
    description: 'To another shelf. The former place is empty.',
    body: record('MoveInput', 'Where to.', { shelf: text('The shelf.') }),
    answer: record('ShelfAnswer', 'One shelf.', { shelf: Shelf }),
  });
  const written = sdkMethodFiles([moveBook], '')['sdk/src/generated/merchant.ts'];
  expect(written).toContain("import type { MoveInput, ShelfAnswer } from '../contract.ts';");
  expect(written).toContain(`  /** Move a book. To another shelf. */
  moveBook(bookRackId: string, bookId: string, input: MoveInput, options: CallOptions = {}): Promise<ShelfAnswer> {
    return this.#api.call(moveBook, { params: { id: bookRackId, book_id: bookId }, body: input }, options);
  }
`);
});

it('writes next to the page of a list the walk through all of its records', () => {
  const listBooks = operation('listBooks', 'GET /v1/shelves', {
    sdk: ['MerchantAgents.list', 'MerchantAccess.listBooks', 'MerchantAccess.shelves'],
    summary: 'List shelves',
    description: 'Newest first.',
    query: PAGE,
    answer: pageOf('ShelvesPage', 'shelves', Shelf),
  });
  const written = sdkMethodFiles([listBooks], '')['sdk/src/generated/merchant.ts'] ?? '';
  const methods = [...written.matchAll(/^ {2}(\w+)\(query: PageQuery = \{\}.*\): ([^ ]+)/gm)];
  expect(methods.map(([, name, type]) => `${name} ${type}`)).toEqual([
    'listBooks Promise<ShelvesPage>',
    'eachBook AsyncGenerator<Shelf,',
    'shelves Promise<ShelvesPage>',
    'list Promise<ShelvesPage>',
    'each AsyncGenerator<Shelf,',
  ]);
});
