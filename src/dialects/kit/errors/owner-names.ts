/** Names of tenants and users in a provider's sentence: "Limit in tenant acme-corp and user jane". */

/** Replaces the word after "tenant", "user" and the like by `blank`, unless it is a common one: "your account is", "user message". */
export function withoutOwnerNames(text: string, blank: string): string {
  return text.replace(NAMED, (all: string, owner: string, name: string) =>
    USUAL.has(name.toLowerCase()) ? all : `${owner}${blank}`,
  );
}

const NAMED =
  /\b((?:tenant|organi[sz]ation|org|project|team|workspace|account|user|customer|consumer)\s{1,4}(?:(?:id|name|named|called|number)\s{1,4})?)([\w@+-]+(?:\.[\w@+-]+)*)/gi;

/** Words that follow in a sentence without a name. */
const USUAL: ReadonlySet<string> = new Set(
  [
    'a about above after again agent all allowed already also an and any are as at balance be because been before below but by',
    'called can cannot content could count credentials credits currently daily data disabled do does due exceeded exceeds for from',
    'had has have hit id if in input is it its key keys level limit limited limits location made makes may message messages might',
    'monthly must name named no not number of on only or over owner per permission permissions plan please prompt prompts provided',
    'quota quotas rate rates reached request requests role roles sent service settings should so spend status than that the their',
    'then this tier to token tokens too tool try turn turns type under until usage used uses was were when which while who whose',
    'will with within without would you your',
  ].flatMap((line) => line.split(' ')),
);
