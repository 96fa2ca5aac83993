/** Of the command: other processes that call it get other ports. */
export { freePort } from '../../cli/src/dev/free-port.ts';
