/** Of the command: ports stay out of the way of every other process that asks there. */
export { freePort } from '../../cli/src/dev/free-port.ts';
