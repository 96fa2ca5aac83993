import { listAgentPaymentEvents } from '@payassent/protocol/api';
import { EventReader } from '../connection/event-reader.ts';
import type { AgentPaymentEvent } from '../contract.ts';

/** The status events of agent payments, in a sequence of their own. */
export const paymentEvents = new EventReader<AgentPaymentEvent>(listAgentPaymentEvents);
