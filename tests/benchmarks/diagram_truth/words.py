"""Words that labels are made of, by domain. Written for this benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Domain:
    """What the labels of one diagram are about: things, what is done to them, and what is written on connections."""

    name: str
    things: tuple[str, ...]
    deeds: tuple[str, ...]
    links: tuple[str, ...]
    groups: tuple[str, ...]
    glue: str = " "


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


DOMAINS: tuple[Domain, ...] = (
    Domain(
        "software",
        (
            *_words("Gateway Scheduler Worker Cache Broker Registry Session Billing Router Parser Compiler Logger Proxy Ledger"),
            *(
                "Load Balancer",
                "Auth Service",
                "Order API",
                "User Store",
                "Mail Queue",
                "Search Index",
                "Web Client",
                "Job Runner",
            ),
            *("Rate Limiter", "Event Bus", "Config Map", "Audit Log", "File Upload", "Feature Flags", "Token Cache", "Data Lake"),
            *("Metrics", "Tracing", "Webhook", "Storage", "Frontend", "Backend", "Database", "Monitor", "Payment", "Inventory"),
        ),
        _words("Validate Parse Store Fetch Retry Publish Encrypt Merge Deploy Build Test Render Compress Index Notify"),
        (
            "HTTP",
            "gRPC",
            "reads",
            "writes",
            "publishes",
            "calls",
            "async",
            "retry",
            "token",
            "events",
            "query",
            "on error",
            "batch",
        ),
        ("Edge", "Core Services", "Data Tier", "Cluster A", "Cluster B", "Public Zone", "Private Subnet", "Observability"),
    ),
    Domain(
        "learning",
        (
            *(
                "Image Encoder",
                "Text Encoder",
                "Feature Map",
                "Attention",
                "Decoder",
                "Loss",
                "Optimizer",
                "Softmax",
                "Embedding",
            ),
            *("Input Image", "Tokens", "Positional Encoding", "Residual Block", "Backbone", "Classifier", "Projection Head"),
            *("Memory Bank", "Teacher", "Student", "Augmentation", "Dropout", "Layer Norm", "Pooling", "Feed Forward", "Sampler"),
            *("Critic", "Actor Net", "Replay Buffer", "Policy", "Reward Model", "Dataset", "Prompt", "Retriever", "Reranker"),
            *("Fusion Module", "Region Proposal", "Mask Head", "Box Head", "Queries", "Logits", "Labels", "Cross Attention"),
        ),
        _words("Encode Decode Normalize Sample Train Evaluate Fuse Align Distill Quantize Prune Mask Pool Project Rank"),
        ("features", "gradients", "logits", "Q", "K", "V", "concat", "add", "x N", "frozen", "shared", "copy weights", "sample"),
        ("Stage 1", "Stage 2", "Encoder", "Decoder Stack", "Training", "Inference", "Preprocessing", "Multi Scale"),
    ),
    Domain(
        "business",
        (
            *_words(
                "Customer Supplier Invoice Contract Warehouse Manager Director Finance Marketing Sales Legal Support Payroll"
            ),
            *("Purchase Order", "Credit Check", "Delivery Note", "Stock Level", "Price List", "Sales Lead", "Budget Plan"),
            *("Quality Control", "Human Resources", "Head of Design", "Team Lead", "Shipping Desk", "Return Request", "Refund"),
            *("Annual Report", "Tax Office", "Board", "Procurement", "Reception", "Call Centre", "Complaint", "Approval"),
        ),
        _words("Review Approve Reject Ship Pay Cancel Register Archive Assign Escalate Close Sign Order Pack Inspect"),
        ("approved", "rejected", "if late", "weekly", "paid", "reports to", "next day", "signed", "urgent", "over limit", "copy"),
        ("Head Office", "Logistics", "Accounting", "Customer Side", "Branch North", "Operations", "Back Office", "Partners"),
    ),
    Domain(
        "science",
        (
            *_words(
                "Enzyme Membrane Nucleus Protein Receptor Glucose Oxygen Neuron Synapse Hormone Sensor Reactor Turbine Valve"
            ),
            *("Cell Wall", "Messenger RNA", "Heat Exchanger", "Control Unit", "Cooling Tower", "Feed Pump", "Light Source"),
            *(
                "Photo Diode",
                "Water Tank",
                "Pressure Gauge",
                "Carbon Cycle",
                "Soil",
                "Rain",
                "River",
                "Ocean",
                "Predator",
                "Prey",
            ),
            *(
                "Immune Response",
                "Blood Sample",
                "Control Group",
                "Placebo",
                "Gene",
                "Mutation",
                "Catalyst",
                "Battery",
                "Antenna",
            ),
        ),
        _words("Measure Heat Cool Mix Filter Dilute Separate Observe Inhibit Activate Transport Bind Split Amplify Dry"),
        ("activates", "inhibits", "heat", "steam", "signal", "12 V", "flows", "binds", "decays", "CO2", "5 ml", "feedback"),
        ("Cytoplasm", "Plant", "Laboratory", "Primary Loop", "Secondary Loop", "Field Study", "Control Room", "Ecosystem"),
    ),
    Domain(
        "daily",
        (
            *_words("Kitchen Garden Breakfast Recipe Journey Ticket Station Airport Library Museum School Exam Homework Weather"),
            *("Train Ride", "Front Door", "Coffee Pot", "Shopping List", "Bus Stop", "Hotel Room", "City Map", "Book Shelf"),
            *("Phone Call", "Photo Album", "Concert Hall", "Football Match", "Swimming Pool", "Car Park", "Bakery", "Market"),
            *("Passport", "Luggage", "Bicycle", "Bridge", "Harbour", "Forest", "Mountain", "Village", "Island", "Lighthouse"),
        ),
        _words("Boil Bake Wash Pack Travel Read Write Plan Book Visit Walk Cook Clean Paint Repair"),
        ("yes", "no", "later", "by bus", "on foot", "if sunny", "20 min", "again", "ready", "too cold", "never", "always"),
        ("Morning", "Evening", "Home", "Old Town", "Holiday", "Weekend", "First Day", "Second Day"),
    ),
    Domain(
        "chinese",
        (
            *_words(
                "用户 登录 注册 首页 订单 购物车 支付 库存 物流 客服 数据库 缓存 网关 日志 消息队列 搜索引擎 推荐系统 权限管理"
            ),
            *_words("图像编码器 文本编码器 特征融合 损失函数 训练数据 验证集 优化器 注意力 输入 输出 分类器"),
            *_words("财务部 市场部 人事部 总经理"),
            *_words("报表 审核 合同 供应商 采购 仓库 配送 发票 会员 积分 优惠券 通知 邮件 短信 监控 告警 备份"),
        ),
        _words("提交 审批 查询 更新 删除 校验 发送 接收 保存 打包"),
        _words("是 否 调用 读取 写入 成功 失败 重试 通过 异步"),
        _words("服务层 数据层 前端 后台 训练阶段 总部 分公司 公共区"),
        glue="",
    ),
)


def pick_domain(rng: Random) -> Domain:
    """A domain; the Chinese one for about one diagram in sixteen."""
    return DOMAINS[-1] if rng.random() < 1 / 16 else rng.choice(DOMAINS[:-1])


class Labels:
    """Labels of one diagram, no two alike."""

    def __init__(self, rng: Random, domain: Domain) -> None:
        self._rng, self.domain = rng, domain
        self._things = rng.sample(domain.things, len(domain.things))
        self._used: set[str] = set()

    def thing(self) -> str:
        """A noun: what most nodes are called."""
        label = self._things.pop() if self._things else self._rng.choice(self.domain.things)
        return self._new(label)

    def deed(self) -> str:
        """A verb and a noun: a step of a process."""
        verb, noun = self._rng.choice(self.domain.deeds), self._rng.choice(self.domain.things)
        noun = noun.lower() if noun[1:].islower() and self.domain.glue else noun
        return self._new(f"{verb}{self.domain.glue}{noun}")

    def question(self) -> str:
        """What stands in a decision."""
        thing = self._rng.choice(self.domain.things)
        return self._new(
            f"{thing}可用?" if not self.domain.glue else f"{thing} {self._rng.choice(('ok', 'valid', 'ready', 'full'))}?"
        )

    def link(self) -> str:
        """What stands on a connection; may repeat."""
        return self._rng.choice(self.domain.links)

    def group(self) -> str:
        """The title of a group."""
        return self._new(self._rng.choice(self.domain.groups))

    def _new(self, label: str) -> str:
        stem, number = label, 2
        while label in self._used:
            label = f"{stem} {number}"
            number += 1
        self._used.add(label)
        return label
