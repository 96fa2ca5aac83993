import { translated } from '../language.ts';

/** Texts of the overview. */
export const homeTexts = translated('homeTexts', {
  title: 'Overview',
  setup: {
    title: 'Get ready to be paid',
    lead: 'Four steps, each of them once. Afterwards your agents can request payments from your customers, and nothing happens without their approval.',
    ready: 'Everything is set up: your agents can request payments.',
    done: 'Done',
    next: 'Next',
    later: 'Later',
    steps: {
      domain: {
        title: 'Prove a domain',
        text: 'Wallets show it with your name, so that customers know who requests a payment. The first proof makes your organization active.',
        action: 'Go to domains',
      },
      recipient: {
        title: 'Set where payments go',
        text: 'A payee is a name with an address on one network. It is verified with your domain, then activated.',
        action: 'Go to payees',
      },
      agent: {
        title: 'Register an agent',
        text: 'The program that requests payments. Its key is made in your browser; only the public half leaves it.',
        action: 'Go to agents',
      },
      test: {
        title: 'Send yourself a test request',
        text: 'Connect a wallet of yours, send it a request on a test network, and watch every step.',
        action: 'Send a test request',
      },
    },
  },
});
