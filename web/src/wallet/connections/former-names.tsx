import type { Connection } from '@payassent/sdk';
import { connections } from '../../texts/wallet.ts';
import { ActionButton } from '../../ui/action-buttons.tsx';
import { PartyName } from '../../ui/foreign-text.tsx';
import { Note } from '../../ui/notes.tsx';
import { refresh } from '../../ui/queries.ts';
import { useWallet } from '../session/session.tsx';

const { renamed } = connections;

export function hasFormerNames({ agent, merchant }: Connection): boolean {
  return agent.former_name !== undefined || merchant.former_name !== undefined;
}

/** A name is chosen freely: one that was changed after the user consented is shown next to the one the user knows. */
export function FormerNames({ connection }: { connection: Connection }) {
  const client = useWallet();
  const { agent, merchant, connection_id } = connection;
  if (!hasFormerNames(connection)) return null;
  const seen = async () => {
    await client.connections.namesSeen(connection_id, { agent: agent.name, merchant: merchant.name });
    await refresh('connections');
  };
  return (
    <Note kind="warn">
      <Renamed text={renamed.agent} party={agent} />
      <Renamed text={renamed.merchant} party={merchant} />
      <ActionButton run={seen}>{renamed.seen}</ActionButton>
    </Note>
  );
}

function Renamed({ text, party }: { text: string; party: { name: string; former_name?: string } }) {
  if (party.former_name === undefined) return null;
  return (
    <div data-fact="renamed">
      {text} <PartyName>{party.former_name}</PartyName> {renamed.now} <PartyName>{party.name}</PartyName>
    </div>
  );
}
