/** The required share of a limit, per workload. */
export type Goal = {
  row: string;
  ours: string;
  workload: string;
  limit: string;
  /** The limit's name of the workload, if it differs. */
  of?: string;
  share: number;
  aim?: number;
};

export const goals: Goal[] = [
  {
    row: "W1 page of three posts, nothing cached",
    ours: "blog",
    workload: "W1",
    limit: "limit-pg",
    share: 0.6,
    aim: 0.85,
  },
  {
    row: "W2 one post with all, nothing cached",
    ours: "blog",
    workload: "W2",
    limit: "limit-pg",
    share: 0.6,
    aim: 0.85,
  },
  { row: "W3 like toggle", ours: "blog", workload: "W3", limit: "limit-pg", share: 0.6 },
  { row: "W5 page 3000", ours: "blog", workload: "W5", limit: "limit-pg", share: 2 },
  {
    row: "W1 cached, POST /graphql",
    ours: "blog, cache",
    workload: "W1",
    limit: "limit-static",
    share: 0.6,
    aim: 0.8,
  },
  {
    row: "W2 cached, POST /graphql",
    ours: "blog, cache",
    workload: "W2",
    limit: "limit-static",
    share: 0.6,
    aim: 0.8,
  },
  {
    row: "W1 cached, GET /api",
    ours: "blog, cache",
    workload: "W1 GET",
    limit: "limit-static",
    share: 0.7,
  },
  {
    row: "W2 cached, GET /api",
    ours: "blog, cache",
    workload: "W2 GET",
    limit: "limit-static",
    share: 0.7,
  },
  {
    row: "Home as HTML, cached",
    ours: "blog, cache",
    workload: "Home",
    limit: "limit-static",
    of: "page",
    share: 0.6,
  },
  {
    row: "Details as HTML, cached",
    ours: "blog, cache",
    workload: "Details",
    limit: "limit-static",
    of: "page",
    share: 0.6,
  },
];
