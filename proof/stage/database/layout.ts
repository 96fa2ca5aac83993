/** Whether the tests run on a distributed database: a coordinator and two workers of Citus. */
export const isDistributedRun = Boolean(process.env['SVC_TEST_CITUS']);
/** Whether they run on a database whose large tables have partitions. */
export const isPartitionedRun = Number(process.env['SVC_TEST_PARTITIONS'] ?? 0) > 0;
/** Neither: for tests that lay out a database themselves, and for tests of what only unpartitioned tables have. */
export const isPlainRun = !isDistributedRun && !isPartitionedRun;
