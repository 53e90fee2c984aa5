/**
 * The CPU time of a response as a ratio to that of a limit, and the share of its throughput, per workload. The limit of a
 * signed-in reader is the visitor.
 */
export type Goal = {
  row: string;
  ours: string;
  workload: string;
  limit: string;
  /** The limit's name of the workload, if it differs. */
  of?: string;
  /** Required, and that of docs/performance.md: more than a tenth above it fails the run. */
  cpu?: { required: number; recorded: number };
  share: number;
};

export const goals: Goal[] = [
  {
    row: "W1 page of three posts, nothing cached",
    ours: "blog",
    workload: "W1",
    limit: "limit-pg",
    cpu: { required: 1.2, recorded: 1.45 },
    share: 0.6,
  },
  {
    row: "W2 one post with all, nothing cached",
    ours: "blog",
    workload: "W2",
    limit: "limit-pg",
    cpu: { required: 1.2, recorded: 1.6 },
    share: 0.6,
  },
  {
    row: "W3 like toggle",
    ours: "blog",
    workload: "W3",
    limit: "limit-pg",
    cpu: { required: 1.6, recorded: 2.6 },
    share: 0.6,
  },
  { row: "W5 page 3000", ours: "blog", workload: "W5", limit: "limit-pg", share: 2 },
  {
    row: "W1 cached, POST /graphql",
    ours: "blog, cache",
    workload: "W1",
    limit: "limit-static",
    cpu: { required: 1.2, recorded: 1.7 },
    share: 0.6,
  },
  {
    row: "W2 cached, POST /graphql",
    ours: "blog, cache",
    workload: "W2",
    limit: "limit-static",
    cpu: { required: 1.2, recorded: 1.7 },
    share: 0.6,
  },
  {
    row: "W1 cached, GET /api",
    ours: "blog, cache",
    workload: "W1 GET",
    limit: "limit-static",
    cpu: { required: 1.2, recorded: 1.7 },
    share: 0.7,
  },
  {
    row: "W2 cached, GET /api",
    ours: "blog, cache",
    workload: "W2 GET",
    limit: "limit-static",
    cpu: { required: 1.2, recorded: 1.7 },
    share: 0.7,
  },
  {
    row: "Home as HTML, cached",
    ours: "blog, cache",
    workload: "Home",
    limit: "limit-static",
    of: "page",
    cpu: { required: 1.2, recorded: 1.75 },
    share: 0.6,
  },
  {
    row: "Details as HTML, cached",
    ours: "blog, cache",
    workload: "Details",
    limit: "limit-static",
    of: "page",
    cpu: { required: 1.2, recorded: 1.75 },
    share: 0.6,
  },
  {
    row: "W1 signed in, nothing cached",
    ours: "blog",
    workload: "W1 signed in",
    limit: "blog",
    of: "W1",
    share: 0.6,
  },
  {
    row: "W2 signed in, nothing cached",
    ours: "blog",
    workload: "W2 signed in",
    limit: "blog",
    of: "W2",
    share: 0.6,
  },
  {
    row: "W1 signed in, the visitor's cached",
    ours: "blog, cache",
    workload: "W1 signed in",
    limit: "blog, cache",
    of: "W1",
    share: 0.6,
  },
  {
    row: "W2 signed in, the visitor's cached",
    ours: "blog, cache",
    workload: "W2 signed in",
    limit: "blog, cache",
    of: "W2",
    share: 0.6,
  },
];
