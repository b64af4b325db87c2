export declare const sourceOf: (entry: string) => string;
