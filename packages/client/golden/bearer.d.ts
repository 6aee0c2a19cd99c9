export interface TokenRequest {
    /** The token that the service has just refused (401): answer another one. Null: the one that you have. */
    readonly refused: string | null;
}
/**
 * Answers the access token of a connected clinic. It is called before each attempt, so keep the token and answer it until it is about
 * to end. After a 401 it is called once more for the same request, with the token that was refused.
 */
export type TokenSource = (request: TokenRequest) => string | Promise<string>;
export interface Bearer {
    /** Whether another secret may help after a 401. */
    readonly isRenewable: boolean;
    /** @throws what the source throws, or the reason of the signal */
    secret(refused: string | null, signal: AbortSignal | undefined): string | Promise<string>;
}
/** @throws TypeError unless it is given one of both. */
export declare function bearerOf(apiKey: unknown, token: unknown): Bearer;
