interface Feed {
  readonly provider: 'generic';
  readonly url: string;
}
export function updateFeed(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Feed | null;
declare const config: {
  readonly asar: boolean;
  readonly extraResources: readonly { readonly from: string; readonly to: string }[];
  readonly fileAssociations: readonly { readonly ext: string }[];
  readonly protocols: readonly { readonly schemes: readonly string[] }[];
  readonly publish: Feed | null;
  readonly npmRebuild: boolean;
  readonly nsis: Readonly<Record<string, boolean>>;
  readonly mac: {
    readonly target: readonly object[];
    readonly hardenedRuntime: boolean;
    readonly entitlements: string;
    readonly entitlementsInherit: string;
  };
  readonly linux: { readonly target: readonly string[] };
  readonly afterPack: (context: object) => Promise<void>;
};
export default config;
