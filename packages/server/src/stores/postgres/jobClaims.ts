/** Claims of jobs in Postgres: pg-boss takes jobs, knows by their heartbeat whose claimer was killed, and brings those back. */
import type { PgBoss } from 'pg-boss'
import type { Job, Jobs } from '../store.ts'
import type { Database } from './database.ts'
import type { Queues } from './queues.ts'

/** What a job of pg-boss holds. */
export interface JobData {
  readonly key: string
  /** Attempts that have failed; pg-boss counts those of killed processes too. */
  readonly failures?: number
}

/** How long to wait before this instance looks again for jobs whose claimer was killed. */
const SUPERVISE_EVERY_MS = 2_000

export function postgresClaims(database: Database, queues: Queues): Pick<Jobs, 'claim' | 'renew'> {
  const table = `${queues.schema}.job`
  let superviseAt = 0

  /** Lets pg-boss bring back the jobs of killed claimers. That fails where another instance does it, or with the claim. */
  async function supervise(boss: PgBoss): Promise<void> {
    if (performance.now() < superviseAt) return
    superviseAt = performance.now() + SUPERVISE_EVERY_MS
    await boss.supervise().catch(() => {})
  }

  return {
    async claim(lane, limit, holdMs) {
      const boss = await queues.boss()
      await supervise(boss)
      const jobs = await boss.fetch<JobData>(lane, { batchSize: limit })
      if (jobs.length === 0) return []
      await database.query(
        `UPDATE ${table} SET heartbeat_seconds = $3 WHERE name = $1 AND id = ANY($2::uuid[])`,
        ...[lane, jobs.map(({ id }) => id), Math.max(1, Math.ceil(holdMs / 1_000))],
      )
      return jobs.map(({ id, data, retryCount }) => ({
        key: data.key,
        lane,
        attempt: (data.failures ?? 0) + 1,
        receipt: `${id} ${retryCount}`,
        holdMs,
      }))
    },
    async renew(jobs) {
      const [first] = jobs
      if (!first) return
      const boss = await queues.boss()
      const attempts = jobs.map((job) => {
        const [id, retryCount] = claimOf(job)
        return { id, retryCount }
      })
      await boss.touch(first.lane, attempts)
    },
  }
}

/** The job's id, and how often it had come back before this claim. */
export function claimOf({ receipt }: Job): [id: string, retryCount: number] {
  const [id = '', retryCount] = receipt.split(' ')
  return [id, Number(retryCount)]
}
