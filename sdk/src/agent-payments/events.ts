import { EventReader } from '../connection/event-reader.ts';
import type { AgentPaymentEvent } from '../contract.ts';
import { listAgentPaymentEvents } from '../operations.ts';

/** The status events of agent payments, in a sequence of their own. */
export const paymentEvents = new EventReader<AgentPaymentEvent>(listAgentPaymentEvents);
