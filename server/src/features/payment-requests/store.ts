import { isDistributed } from '../../db/layout.ts';
import type { Sql } from '../../db/open.ts';
import { insertOnOne } from './create-sql.ts';
import {
  addHashOnMachine,
  findOnMachines,
  insertOnMachines,
  moveOnMachines,
  settleOnMachines,
} from './on-machines.ts';
import { settleOnOne } from './settle-sql.ts';
import { addHashOnOne, findOnOne, moveOnOne } from './status-sql.ts';

/** What changes requests, or finds one that a wallet is about to change, on one machine or on several. */
const choice =
  <Any extends Sql, Parameters extends readonly unknown[], Result>(
    onOne: (sql: Any, ...rest: Parameters) => Promise<Result>,
    onMachines: (sql: Any, ...rest: Parameters) => Promise<Result>,
  ) =>
  (sql: Any, ...rest: Parameters): Promise<Result> =>
    (isDistributed(sql) ? onMachines : onOne)(sql, ...rest);

export const insertRequests = choice(insertOnOne, insertOnMachines);
export const moveRequests = choice(moveOnOne, moveOnMachines);
export const settlePending = choice(settleOnOne, settleOnMachines);
export const addTxHash = choice(addHashOnOne, addHashOnMachine);
export const findForWallet = choice(findOnOne, findOnMachines);
