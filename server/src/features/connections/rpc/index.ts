export { LINE_RPC_TASK, handleRemoteCall, callRemote, callLocal } from "./line-rpc.ts";
export type { RpcResult, RpcArgs, LineRpcMethod } from "./line-rpc.ts";
export { pruneRpcResults } from "./line-rpc-results.queries.ts";
