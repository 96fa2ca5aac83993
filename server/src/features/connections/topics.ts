export { connectionTopic, walletTopic } from '../callers/topics.ts';
