declare function redisStore(redis: IoRedisClient | NodeRedisClient, { prefix }?: RedisStoreOptions): RedisStore;
export {
  type IoRedisClient,
  type NodeRedisClient,
  RedisStore,
  RedisStoreOptions,
  redisStore,
};
interface IoRedisClient {
  duplicate(override: {
    lazyConnect: boolean;
    commandTimeout: number;
  }): IoRedisClient;
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
  on(event: "error", listener: () => void): unknown;
  disconnect(): void;
}
interface NodeRedisClient {
  duplicate(override: {
    disableOfflineQueue: boolean;
  }): NodeRedisClient;
  connect(): Promise<unknown>;
  sendCommand(args: string[]): Promise<unknown>;
  on(event: "error", listener: () => void): unknown;
  destroy(): void;
}
interface RedisStore extends SharedState {
  close(): Promise<void>;
}
interface RedisStoreOptions {
  prefix?: string;
}
interface SharedState {
  get(key: string): Promise<StoredValue | null>;
  set(key: string, value: string, ttlMs: number | null): Promise<void>;
  withLock<T>(key: string, task: () => Promise<T>): Promise<T>;
  counter(name: string, perMinute: number): Counter;
}
interface StoredValue {
  value: string;
  ttlMs: number | null;
}
type Counter = (key: string) => number | Promise<number>;
