/** Answers a request of a browser, as a route of an application does. */
export function Auth(request: Request, config: object): Promise<Response>;
