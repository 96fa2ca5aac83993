/** Whether the tests run on a distributed database: a coordinator and two workers of Citus. */
export const isDistributedRun = Boolean(process.env['SVC_TEST_CITUS']);
