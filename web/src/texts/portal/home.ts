import { translated } from '../language.ts';

/** Texts of the overview. */
export const homeTexts = translated('homeTexts', {
  title: 'Overview',
  setup: {
    title: 'Get ready to be paid',
    lead: 'Four steps, each of them once. Afterwards your agents can ask your customers for payments, and nothing happens without their approval.',
    ready: 'Everything is set up: your agents can ask for payments.',
    done: 'Done',
    next: 'Next',
    later: 'Later',
    steps: {
      domain: {
        title: 'Prove a domain',
        text: 'Wallets show it beside your name, so that customers know who is asking. The first proof makes your organization active.',
        action: 'Go to domains',
      },
      recipient: {
        title: 'Fix where payments go',
        text: 'A Recipient is a name with an address on one network. It is verified with your domain, then activated.',
        action: 'Go to Recipients',
      },
      agent: {
        title: 'Register an agent',
        text: 'The program that asks for payments. Its key is made in your browser; only the public half leaves it.',
        action: 'Go to agents',
      },
      test: {
        title: 'Send yourself a test request',
        text: 'Connect a wallet of your own, ask it for a payment on a test network, and watch the whole way.',
        action: 'Send a test request',
      },
    },
  },
});
