import { DEVICE_OPTIONS, openWallet } from '../clients.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createOutput } from '../output.ts';
import { readSettings, SERVICE_OPTIONS } from '../settings.ts';

export const walletConnectKey = defineCommand({
  name: 'wallet connect-key',
  summary: 'make a one-time Connect Key for an agent',
  options: { ...SERVICE_OPTIONS, ...DEVICE_OPTIONS },
  details: [
    'Prints the key alone on stdout. It lives ten minutes and lets one agent ask for a connection, nothing more:',
    'the wallet still has to approve, for example with "payassent wallet simulate".',
  ].join('\n'),
  async run(io, { values, isJson }) {
    const settings = readSettings(io, values);
    const { wallet, enrolledInto } = await openWallet(io, settings, values, isJson);
    const output = createOutput(io, isJson);
    if (enrolledInto !== undefined) output.note(`A new wallet, kept in ${enrolledInto}`);
    const { connect_key, connect_key_id, expires_at } = await wallet.connectKeys.create({
      signal: io.signal,
    });
    output.note(`Works once, until ${expires_at}`);
    output.result({ connect_key, connect_key_id, expires_at }, connect_key);
    return EXIT.ok;
  },
});
